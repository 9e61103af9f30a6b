import { styleText } from 'node:util'

export type Ready = { url: string; dataDir: string; uses: string[]; seconds: number; keys: boolean }

/** The last words of a start: where it listens, the two ways to ask it, and how to bring documents in. */
export const readyScreen = ({ url, dataDir, uses, seconds, keys }: Ready, coloured: boolean): string => {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text
  // Whoever asks finds the gateway by the data folder they share.
  const here = `${dataDir === '.data' ? '' : `DATA_DIR=${dataDir} `}${keys ? 'PLUMBLINE_KEY=<key> ' : ''}`
  const ask = `${here}npm run ask -- "How many moons did Saturn have in 2019 and in 2023?"`
  const auth = keys ? ` -H 'authorization: Bearer <key>'` : ''
  return [
    '',
    `  ${paint(['bold', 'green'], 'Plumbline is ready')} ${paint('dim', `after ${seconds.toFixed(1)} s`)}`,
    '',
    `    ${paint('cyan', url)}`,
    `    ${paint('cyan', `${url}/docs`)}  ${paint('dim', 'what it understands')}`,
    '',
    `  ${paint('dim', 'Ask it, in a second terminal:')}`,
    '',
    `    ${ask}`,
    '',
    `    curl -s ${url}/v1/runs -H 'content-type: application/json' -H 'prefer: wait=10'${auth} \\`,
    `      -d '{"question": "How long does short-term memory last?"}'`,
    '',
    `  ${paint('dim', 'Bring in documents of your own:')} ${here}npm run ingest -- <folder>`,
    '',
    `  ${paint('dim', 'It answers with:')}`,
    '',
    ...uses.map((line) => `    ${line}`),
    '',
    `  ${paint('dim', `Data: ${dataDir} · Ctrl-C stops everything`)}`,
    '',
    '',
  ].join('\n')
}
