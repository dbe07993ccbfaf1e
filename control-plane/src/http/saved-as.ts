/** Headers of a file of people's: its name, and whatever it is, no page of the panel runs it. */
export const savedAs = (disposition: 'attachment' | 'inline', name: string) => ({
  'content-disposition': `${disposition}; filename="${plain(name)}"; filename*=UTF-8''${encoded(name)}`,
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
})

const plain = (name: string): string => name.replaceAll(/[^ !#-[\]-~]/g, '_')
/** RFC 8187: like a URI component, but these characters are not allowed either. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
