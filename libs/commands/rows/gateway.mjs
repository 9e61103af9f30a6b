export const keyDefault = '(default: PLUMBLINE_KEY, or the content of the file that PLUMBLINE_KEY_FILE names)'

export const url = /** @type {const} */ ({
  type: 'string',
  value: 'address',
  help: 'the gateway (default: PLUMBLINE_URL, then PORT, then the gateway that was started from this folder, then http://127.0.0.1:3000)',
})

export const json = /** @type {const} */ ({
  type: 'boolean',
  default: false,
  help: 'print only one JSON object on standard output (use npm run -s plumbline)',
})

export const product = /** @type {const} */ ({ build: true, product: true })
