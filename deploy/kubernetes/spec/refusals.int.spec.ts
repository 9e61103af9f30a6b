import { describe, expect, it } from 'vitest'
import { renderChart } from './render-chart'

describe('the chart', () => {
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['a word for a number', { gateway: { replicas: 'two' } }, /'\/gateway\/replicas': got string, want integer/],
    ['no gateway', { gateway: { replicas: 0 } }, /'\/gateway\/replicas': minimum: got 0, want 1/],
    ['a name that is none', { gatway: { replicas: 2 } }, /additional properties 'gatway' not allowed/],
    [
      'a stage that is none',
      { workers: { writer: { replicas: 1, concurrency: 1, timeoutSeconds: 1 } } },
      /'\/workers': additional properties 'writer' not allowed/,
    ],
    ['a stage less', { workers: { grader: null } }, /'\/workers': missing property 'grader'/],
    [
      'no tasks at once',
      { workers: { grader: { concurrency: 0 } } },
      /'\/workers\/grader\/concurrency': minimum: got 0, want 1/,
    ],
    [
      'milliseconds for seconds',
      { workers: { grader: { timeoutSeconds: 30_000 } } },
      /timeoutSeconds': maximum: got 30,000, want 3,600/,
    ],
    [
      'memory without a unit that is one',
      { redis: { storage: '8 GB' } },
      /'\/redis\/storage': '8 GB' does not match pattern/,
    ],
    [
      'no limit of memory',
      { workerResources: { limits: { memory: null } } },
      /'\/workerResources\/limits': missing property 'memory'/,
    ],
    ['a key in a setting', { settings: { OPENAI_API_KEY: 'sk-1' } }, /'\/settings\/OPENAI_API_KEY': false schema/],
    [
      'a password in an address',
      { redis: { bundled: false, url: 'redis://me:secret@redis:6379' } },
      /'\/redis\/url': .* does not match pattern/,
    ],
    ['no Redis', { redis: { bundled: false } }, /name another Redis with redis\.url, or as the secret REDIS_URL/],
    ['no Qdrant', { qdrant: { bundled: false } }, /name another Qdrant with qdrant\.url/],
    ['a bucket without a name', { documents: { store: 's3' } }, /name the bucket with documents\.s3\.bucket/],
    [
      'a store that is none',
      { documents: { store: 'nfs' } },
      /'\/documents\/store': value must be one of 'volume', 's3'/,
    ],
    ['an ingress without a host', { ingress: { enabled: true } }, /'\/ingress\/host': minLength/],
    [
      'a digest that is none',
      { image: { digests: { gateway: 'latest' } } },
      /'\/image\/digests\/gateway': 'latest' does not match pattern/,
    ],
    ['the tag latest', { image: { tag: 'latest' } }, /'\/image\/tag': 'not' failed/],
    ['less at most than at least', { autoscaling: { enabled: true, min: 5, max: 2 } }, /min 5 is more than max 2/],
    [
      'Prometheus without an address',
      { autoscaling: { enabled: true, by: 'prometheus' } },
      /'\/autoscaling\/prometheusUrl': minLength/,
    ],
    [
      'a network that is none',
      { networkPolicies: { egressTo: [{ cidr: 'anywhere', port: 80 }] } },
      /egressTo\/0\/cidr': 'anywhere' does not match pattern/,
    ],
    ['the tag latest of one app', { image: { tags: { router: 'latest' } } }, /'\/image\/tags\/router': 'not' failed/],
    ['a tag of no app', { image: { tags: { writer: '1' } } }, /invalid propertyName 'writer'/],
    ['a file from nowhere', { files: { ROUTES_FILE: { key: 'a.yaml' } } }, /'\/files\/ROUTES_FILE': 'oneOf' failed/],
    [
      'credentials in a ConfigMap',
      { files: { SOURCE_CREDENTIALS_FILE: { configMap: 'a', key: 'b' } } },
      /'\/files\/SOURCE_CREDENTIALS_FILE': missing property 'secret'/,
    ],
    [
      'a key as a plain variable',
      { extraEnv: [{ name: 'OPENAI_API_KEY', value: 'sk-1' }] },
      /'\/extraEnv\/0\/name': 'not' failed/,
    ],
    [
      'a variable that a secret sets too',
      {
        secrets: { TOKEN: { name: 'plumbline', key: 'TOKEN' } },
        extraEnv: [{ name: 'TOKEN', value: 'abc' }],
      },
      /extraEnv sets TOKEN, which settings, secrets or files set too/,
    ],
    ['a volume of the name of ours', { extraVolumes: [{ name: 'data' }] }, /'\/extraVolumes\/0\/name': 'not' failed/],
    [
      'a label that selects pods',
      { podLabels: { 'app.kubernetes.io/component': 'x' } },
      /'\/podLabels\/app.kubernetes.io~1component': false schema/,
    ],
    ['any DNS server', { networkPolicies: { dns: [] } }, /'\/networkPolicies\/dns': minItems/],
    ['keys for nobody', { secrets: { API_KEYS: null } }, /'\/secrets': missing property 'API_KEYS'/],
  ]
  it.each(wrong)('refuses %s in words', (_, values, words) => {
    expect(() => renderChart(values)).toThrow(words)
  })
})
