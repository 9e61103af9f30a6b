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
{{- if $image.registry }}{{ $image.registry }}/{{ end }}{{ $image.prefix }}{{ .component }}:{{ index $image.tags .component | default $image.tag | default .root.Chart.AppVersion }}
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

{{/* The content of the ConfigMap with the settings. Every pod has a hash of this content as an annotation. */}}
{{- define "plumbline.settings" -}}
{{- if not (hasKey .root.Values.secrets "REDIS_URL") }}
REDIS_URL: {{ include "plumbline.redisUrl" . | quote }}
{{- end }}
QDRANT_URL: {{ include "plumbline.qdrantUrl" . | quote }}
{{- with .root.Values.documents }}
{{- if eq .store "s3" }}
DOCUMENTS_STORE: s3
S3_BUCKET: {{ .s3.bucket | quote }}
{{- with .s3.region }}
S3_REGION: {{ . | quote }}
{{- end }}
{{- with .s3.endpoint }}
S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .s3.prefix }}
S3_PREFIX: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $value := .root.Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "plumbline.annotations" -}}
# If a setting changes, this hash changes, so Kubernetes replaces the pods.
plumbline/settings: {{ include "plumbline.settings" . | sha256sum }}
{{- with .root.Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "plumbline.podLabels" -}}
{{- include "plumbline.labels" . }}
{{- with .root.Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The apps that read each secret or file. Every app reads the other secrets of docs/reference/settings.md. */}}
{{- define "plumbline.readers" -}}
API_KEYS: [gateway]
QDRANT_API_KEY: [gateway, researcher, ingestor]
S3_ACCESS_KEY_ID: [gateway, ingestor]
S3_SECRET_ACCESS_KEY: [gateway, ingestor]
TAVILY_API_KEY: [researcher]
DOCLING_API_KEY: [ingestor]
POLICIES_DIR: [gateway]
LOOKUPS_FILE: [router, planner, researcher]
ROUTES_FILE: [gateway, router]
SOURCE_CREDENTIALS_FILE: [gateway, ingestor]
{{- end -}}

{{/* The secrets that an app reads, in the form of values.secrets. Secrets with unknown names are for lookups of the researcher. */}}
{{- define "plumbline.secretsOf" -}}
{{- $app := .component -}}
{{- $readers := include "plumbline.readers" . | fromYaml -}}
{{- $ofAll := "^(REDIS_URL|(OPENAI|FALLBACK|EMBEDDING|COHERE|CROSS_ENCODER)_API_KEY|OTEL_EXPORTER_OTLP_(TRACES_)?HEADERS)$" -}}
{{- $own := dict -}}
{{- range $name, $ref := .root.Values.secrets -}}
{{- $of := index $readers $name | default (list "researcher") -}}
{{- if or (regexMatch $ofAll $name) (has $app $of) }}{{ $own = set $own $name $ref }}{{ end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/* The files that an app reads, in the form of values.files. */}}
{{- define "plumbline.filesOf" -}}
{{- $app := .component -}}
{{- $readers := include "plumbline.readers" . | fromYaml -}}
{{- $own := dict -}}
{{- range $name, $ref := .root.Values.files -}}
{{- if has $app (index $readers $name | default (list $app)) }}{{ $own = set $own $name $ref }}{{ end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{- define "plumbline.fileVolume" -}}
{{ . | replace "_" "-" | lower }}
{{- end -}}

{{/* The environment of an app: its settings, the paths of its files, and the path of a file for each secret. */}}
{{- define "plumbline.environment" -}}
envFrom:
  - configMapRef: { name: {{ .root.Release.Name }}-settings }
env:
  {{- range $name, $value := .env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- range $name, $ref := include "plumbline.secretsOf" . | fromYaml }}
  - { name: {{ $name }}_FILE, value: /run/secrets/plumbline/{{ $name }} }
  {{- end }}
  {{- range $name, $ref := include "plumbline.filesOf" . | fromYaml }}
  - { name: {{ $name }}, value: /run/files/plumbline/{{ $name }}{{ with $ref.key }}/{{ . }}{{ end }} }
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "plumbline.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
- { name: secrets, mountPath: /run/secrets/plumbline, readOnly: true }
{{- range $name, $ref := include "plumbline.filesOf" . | fromYaml }}
- { name: {{ include "plumbline.fileVolume" $name }}, mountPath: /run/files/plumbline/{{ $name }}, readOnly: true }
{{- end }}
{{- with .root.Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "plumbline.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 2Gi }
- name: data
  {{- if and .keepsDocuments (eq .root.Values.documents.store "volume") }}
  persistentVolumeClaim: { claimName: {{ .root.Release.Name }}-documents }
  {{- else }}
  # With a bucket, documents are here only during an upload. The size is enough for the largest number of parallel uploads.
  emptyDir: { sizeLimit: {{ if .keepsDocuments }}8Gi{{ else }}2Gi{{ end }} }
  {{- end }}
- name: secrets
  projected:
    # 288 is 0440 in octal: the group of the pod may read the files.
    defaultMode: 288
    {{- $secrets := include "plumbline.secretsOf" . | fromYaml }}
    {{- if $secrets }}
    sources:
      {{- range $name, $ref := $secrets }}
      - secret:
          name: {{ $ref.name }}
          items: [{ key: {{ $ref.key }}, path: {{ $name }} }]
      {{- end }}
    {{- else }}
    sources: []
    {{- end }}
{{- range $name, $ref := include "plumbline.filesOf" . | fromYaml }}
- name: {{ include "plumbline.fileVolume" $name }}
  {{- if $ref.configMap }}
  configMap: { name: {{ $ref.configMap }} }
  {{- else }}
  secret: { secretName: {{ $ref.secret }}, defaultMode: 288 }
  {{- end }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The affinity of the values. If gateway and ingestor share one disk, they must also run on the same node, because only one node at a time can mount the disk. */}}
{{- define "plumbline.affinity" -}}
{{- $affinity := deepCopy .root.Values.affinity -}}
{{- if and .keepsDocuments (eq .root.Values.documents.store "volume") -}}
{{- $selector := dict "matchLabels" (dict "app.kubernetes.io/instance" .root.Release.Name "plumbline/documents" "shared") -}}
{{- $together := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" $selector -}}
{{- $own := $affinity.podAffinity | default dict -}}
{{- $all := append ($own.requiredDuringSchedulingIgnoredDuringExecution | default list) $together -}}
{{- $affinity = set $affinity "podAffinity" (set $own "requiredDuringSchedulingIgnoredDuringExecution" $all) -}}
{{- end -}}
{{- with $affinity -}}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "plumbline.placing" -}}
{{- include "plumbline.affinity" . }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
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
