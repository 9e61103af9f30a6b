const headersOf = (request: XMLHttpRequest): [string, string][] =>
  request
    .getAllResponseHeaders()
    .trim()
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])

/** Works like `fetch`, but uses XMLHttpRequest, because `fetch` does not report the progress of an upload. */
export const fetchWithProgress =
  (onSent: (bytes: number) => void): typeof fetch =>
  (address, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, address instanceof Request ? address.url : address)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => onSent(loaded)
      request.onload = () =>
        resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
      request.onerror = () => reject(new TypeError('the connection was lost'))
      request.onabort = () => reject(new DOMException('the upload was stopped', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as FormData)
    })
