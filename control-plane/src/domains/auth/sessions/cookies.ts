import type { Exchange } from '../../../http/endpoint.ts'

/**
 * Cookies are `Secure` when the panel is reached by TLS; over plain HTTP a browser would discard
 * them.
 */
export const isSecure = (http: Exchange): boolean =>
  http.request.protocol === 'https' || http.request.headers.origin?.startsWith('https:') === true
