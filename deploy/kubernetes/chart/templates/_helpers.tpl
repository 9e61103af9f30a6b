{{- define "plumbline.labels" -}}
app.kubernetes.io/name: plumbline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "plumbline.name" -}}
{{ .root.Release.Name }}-{{ .component }}
{{- end -}}

{{- define "plumbline.metadata" -}}
name: {{ include "plumbline.name" . }}
labels:
  {{- include "plumbline.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "plumbline.image" -}}
{{- $image := .root.Values.image -}}
{{- if $image.registry }}{{ $image.registry }}/{{ end }}{{ $image.prefix }}{{ .component }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- with index $image.digests .component }}@{{ . }}{{ end }}
{{- end -}}

{{- define "plumbline.redisUrl" -}}
{{- if .root.Values.redis.bundled }}redis://{{ .root.Release.Name }}-redis:6379{{ else }}{{ .root.Values.redis.url }}{{ end }}
{{- end -}}

{{- define "plumbline.qdrantUrl" -}}
{{- if .root.Values.qdrant.bundled }}http://{{ .root.Release.Name }}-qdrant:6333{{ else }}{{ .root.Values.qdrant.url }}{{ end }}
{{- end -}}

{{- define "plumbline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "plumbline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "plumbline.spread" -}}
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "plumbline.labels" . | nindent 6 }}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "plumbline.labels" . | nindent 6 }}
{{- end -}}

{{- define "plumbline.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* The environment of an app: its settings, and a file for every secret. */}}
{{- define "plumbline.environment" -}}
envFrom:
  - configMapRef: { name: {{ .root.Release.Name }}-settings }
env:
  {{- range $name, $value := .env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- range $name, $ref := .root.Values.secrets }}
  - { name: {{ $name }}_FILE, value: /run/secrets/plumbline/{{ $name }} }
  {{- end }}
{{- end -}}

{{- define "plumbline.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
- { name: secrets, mountPath: /run/secrets/plumbline, readOnly: true }
{{- end -}}

{{- define "plumbline.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 2Gi }
- name: data
  {{- if and .keepsDocuments (eq .root.Values.documents.store "volume") }}
  persistentVolumeClaim: { claimName: {{ .root.Release.Name }}-documents }
  {{- else }}
  # Documents on their way to a bucket: as many as may come in at once.
  emptyDir: { sizeLimit: {{ if .keepsDocuments }}8Gi{{ else }}2Gi{{ end }} }
  {{- end }}
- name: secrets
  projected:
    # 0440: for the group of the pod.
    defaultMode: 288
    sources:
      {{- range $name, $ref := .root.Values.secrets }}
      - secret:
          name: {{ $ref.name }}
          items: [{ key: {{ $ref.key }}, path: {{ $name }} }]
      {{- end }}
{{- end -}}

{{/* Gateway and ingestor share one disk, which one node at a time can mount. */}}
{{- define "plumbline.besideDocuments" -}}
{{- if eq .root.Values.documents.store "volume" }}
affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            app.kubernetes.io/instance: {{ .root.Release.Name }}
            plumbline/documents: shared
{{- end }}
{{- end -}}

{{- define "plumbline.placing" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "plumbline.disruption" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "plumbline.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "plumbline.labels" . | nindent 6 }}
{{- end -}}
