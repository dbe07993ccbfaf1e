import { UTF8_MARK } from '@lodge/shared/csv.ts'

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

/** Has the browser save a CSV file, such as for a spreadsheet. */
export const saveCsv = (name: string, csv: string): void =>
  saveFile(name, new Blob([UTF8_MARK, csv], { type: 'text/csv' }))

export const saveText = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: 'text/plain' }))
