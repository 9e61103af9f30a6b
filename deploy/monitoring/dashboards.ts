/** A panel of a dashboard. `series` maps the legend of each line to its expression. */
export type Panel = { title: string; unit: string; about?: string; series: Record<string, string> }
export type Dashboard = { file: string; uid: string; title: string; panels: Panel[] }

const rate = (metric: string): string => `rate(${metric}[$__rate_interval])`
const perSecond = (metric: string, by?: string): string => `sum${by ? ` by (${by})` : ''} (${rate(metric)})`
const quantile = (share: number, metric: string, by?: string): string =>
  `histogram_quantile(${share}, sum by (${by ? `${by}, ` : ''}le) (${rate(`${metric}_bucket`)}))`
/** Every gateway reports the same values for the queues, so this is their maximum, not their sum. */
const maxBy = (metric: string, by: string): string => `max by (${by}) (${metric})`

const runs: Panel[] = [
  { title: 'Asks', unit: 'reqps', series: { '{{policy}}': perSecond('plumbline_asks_total', 'policy') } },
  {
    title: 'Runs that ended',
    unit: 'ops',
    series: { '{{status}}': perSecond('plumbline_runs_ended_total', 'status') },
  },
  {
    title: 'Failing runs',
    unit: 'percentunit',
    about: 'The share of runs that failed or missed their deadline. The alerts assume a budget of 1 % in 30 days.',
    series: { '5 minutes': 'plumbline:runs_failing:ratio_5m', '6 hours': 'plumbline:runs_failing:ratio_6h' },
  },
  {
    title: 'Time until an answer is released or held',
    unit: 's',
    series: {
      median: quantile(0.5, 'plumbline_run_seconds'),
      '95th percentile': quantile(0.95, 'plumbline_run_seconds'),
    },
  },
  {
    title: 'Work by queue',
    unit: 'short',
    about:
      'The number of jobs that are waiting, due or in progress. Workers are scaled by this number. It is 0 while a queue is paused.',
    series: { '{{queue}}': maxBy('plumbline_scaler_jobs', 'queue') },
  },
  {
    title: 'Age of the oldest job',
    unit: 's',
    series: { '{{queue}}': maxBy('plumbline_queue_oldest_seconds{queue!="review"}', 'queue') },
  },
  {
    title: 'Tasks',
    unit: 'ops',
    series: { '{{stage}} {{outcome}}': perSecond('plumbline_tasks_total', 'stage, outcome') },
  },
  {
    title: 'Duration of tasks, 95th percentile',
    unit: 's',
    series: { '{{stage}}': quantile(0.95, 'plumbline_task_seconds', 'stage') },
  },
  {
    title: 'Tasks abandoned, started again and queued again',
    unit: 'short',
    series: {
      'abandoned: {{stage}} {{task}}': 'sum by (stage, task) (increase(plumbline_abandoned_total[1h]))',
      'started again: {{stage}}': 'sum by (stage) (increase(plumbline_redelivered_total[1h]))',
      'jobs queued again': 'sum(increase(plumbline_jobs_healed_total[1h]))',
    },
  },
  {
    title: 'Longest wait by tenant',
    unit: 's',
    series: { '{{tenant}}': `topk(10, ${maxBy('plumbline_tenant_longest_wait_seconds', 'tenant')})` },
  },
  {
    title: 'Held answers',
    unit: 'short',
    series: {
      'wait for a decision': 'sum(max by (lane) (plumbline_parked_runs))',
      'held: {{reason}}': 'sum by (reason) (increase(plumbline_runs_parked_total[1h]))',
    },
  },
  {
    title: 'Decisions, and drafts with unsupported claims',
    unit: 'short',
    series: {
      '{{action}}': 'sum by (action) (increase(plumbline_decisions_total[1h]))',
      'drafts with an unsupported claim': 'sum(increase(plumbline_grounding_failures_total[1h]))',
    },
  },
  {
    title: 'Model calls',
    unit: 'ops',
    series: { '{{model}} {{instead}}': perSecond('plumbline_model_calls_total', 'model, instead') },
  },
  {
    title: 'Cost in an hour (cents)',
    unit: 'short',
    series: { '{{model}}': 'sum by (model) (increase(plumbline_model_cents_total[1h]))' },
  },
]

const documents: Panel[] = [
  {
    title: 'Documents',
    unit: 'ops',
    about: 'Document jobs by outcome. A job that is tried again later is counted again.',
    series: { '{{outcome}}': perSecond('plumbline_document_seconds_count', 'outcome') },
  },
  {
    title: 'Time to process a document',
    unit: 's',
    series: {
      median: quantile(0.5, 'plumbline_document_seconds'),
      '95th percentile': quantile(0.95, 'plumbline_document_seconds'),
    },
  },
  {
    title: 'Documents waiting or in progress',
    unit: 'short',
    series: { documents: 'max(plumbline_scaler_jobs{queue="ingest"})' },
  },
  {
    title: 'Age of the oldest waiting document',
    unit: 's',
    series: { oldest: 'max(plumbline_queue_oldest_seconds{queue="ingest"})' },
  },
  {
    title: 'Documents read',
    unit: 'ops',
    series: { '{{format}}': perSecond('plumbline_documents_read_total', 'format') },
  },
  { title: 'Pages', unit: 'ops', series: { '{{format}}': perSecond('plumbline_document_pages_total', 'format') } },
  { title: 'Bytes', unit: 'Bps', series: { '{{format}}': perSecond('plumbline_document_bytes_total', 'format') } },
  {
    title: 'Syncs of sources',
    unit: 'short',
    series: { '{{outcome}}': 'sum by (outcome) (increase(plumbline_source_run_seconds_count[1h]))' },
  },
  {
    title: 'Files of sources',
    unit: 'short',
    series: { '{{became}}': 'sum by (became) (increase(plumbline_source_files_total{became!="unchanged"}[1h]))' },
  },
  {
    title: 'Webhooks',
    unit: 'short',
    series: {
      '{{outcome}}': 'sum by (outcome) (increase(plumbline_webhook_tries_total[1h]))',
      wait: 'max(plumbline_scaler_jobs{queue="webhook"})',
    },
  },
]

const processes: Panel[] = [
  {
    title: 'Requests',
    unit: 'reqps',
    series: { '{{status}}': perSecond('plumbline_http_seconds_count', 'status') },
  },
  {
    title: 'Duration of requests, 95th percentile',
    unit: 's',
    series: { '{{method}} {{route}}': `topk(10, ${quantile(0.95, 'plumbline_http_seconds', 'method, route')})` },
  },
  {
    title: 'Failing requests',
    unit: 'percentunit',
    series: { '5 minutes': 'plumbline:requests_failing:ratio_5m', '6 hours': 'plumbline:requests_failing:ratio_6h' },
  },
  { title: 'Refusals', unit: 'reqps', series: { '{{kind}}': perSecond('plumbline_refusals_total', 'kind') } },
  {
    title: 'Memory of Redis',
    unit: 'bytes',
    series: { '{{of}}': maxBy('plumbline_redis_memory_bytes', 'of') },
  },
  { title: 'Event streams', unit: 'short', series: { '{{instance}}': 'sum by (instance) (plumbline_streams)' } },
  {
    title: 'Processor',
    unit: 'short',
    about:
      'The number of cores in use. Workers wait for models most of the time, so this does not show whether there are enough workers.',
    series: { '{{job}} {{instance}}': `sum by (job, instance) (${rate('process_cpu_seconds_total')})` },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    series: { '{{job}} {{instance}}': 'sum by (job, instance) (process_resident_memory_bytes)' },
  },
  {
    title: 'Delay of the event loop, 99th percentile',
    unit: 's',
    series: { '{{job}} {{instance}}': 'max by (job, instance) (nodejs_eventloop_lag_p99_seconds)' },
  },
  { title: 'Tasks held', unit: 'short', series: { '{{instance}}': 'sum by (instance) (plumbline_tasks_held)' } },
]

export const dashboards: Dashboard[] = [
  { file: 'runs', uid: 'plumbline-runs', title: 'Plumbline: runs and queues', panels: runs },
  { file: 'documents', uid: 'plumbline-documents', title: 'Plumbline: documents', panels: documents },
  { file: 'processes', uid: 'plumbline-processes', title: 'Plumbline: Redis and processes', panels: processes },
]
