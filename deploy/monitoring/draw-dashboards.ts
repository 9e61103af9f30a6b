import { dashboards, type Dashboard, type Panel } from './dashboards'

const width = 24
const perRow = 2
const height = 8

const source = { type: 'prometheus', uid: '${datasource}' }

const drawPanel = ({ title, unit, series, about }: Panel, at: number) => ({
  id: at + 1,
  title,
  ...(about && { description: about }),
  type: 'timeseries',
  datasource: source,
  gridPos: {
    x: (at % perRow) * (width / perRow),
    y: Math.floor(at / perRow) * height,
    w: width / perRow,
    h: height,
  },
  fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: Object.entries(series).map(([legendFormat, expr], n) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + n),
    datasource: source,
    expr,
    legendFormat,
  })),
})

const draw = ({ uid, title, panels }: Dashboard) => ({
  uid,
  title,
  tags: ['plumbline'],
  schemaVersion: 39,
  timezone: 'browser',
  editable: true,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 }],
  },
  panels: panels.map(drawPanel),
})

/** Returns Grafana's dashboards by file name. */
export const drawn = (): Map<string, string> =>
  new Map(dashboards.map((board) => [`${board.file}.json`, `${JSON.stringify(draw(board), null, 2)}\n`]))
