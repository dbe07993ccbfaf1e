/**
 * Copies text to the clipboard. Over plain HTTP browsers have no Clipboard API, but still obey the
 * copy command on a selected field.
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  // Undefined outside a secure context, despite its type.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copySelected(text)
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // A dialog would take the focus back from elements outside it.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.focus({ preventScroll: true })
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
