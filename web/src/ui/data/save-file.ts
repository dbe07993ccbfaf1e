/** Has the browser save something as a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

/** Has the browser save what is at an address, under the name that the server gives; the page stays. */
export function saveFrom(address: string): void {
  Object.assign(document.createElement('a'), { href: address, download: '' }).click()
}

export const saveText = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: 'text/plain' }))
