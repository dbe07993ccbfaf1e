import type { Exchange } from '../../http/endpoint.ts'

/** Cookies are secure wherever the panel is reached by TLS; without it a browser would not keep them. */
export const isSecure = (http: Exchange): boolean =>
  http.request.protocol === 'https' || http.request.headers.origin?.startsWith('https:') === true
