/** Headers of a file that people have uploaded: its name, and nothing in it runs as a page of the panel. */
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
