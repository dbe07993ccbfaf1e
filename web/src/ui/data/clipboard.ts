/**
 * Puts text on the clipboard. Over plain HTTP a browser has no Clipboard API, but still obeys the copy
 * command of a selected field.
 * @returns whether the browser did it
 */
export async function copyText(text: string): Promise<boolean> {
  // Absent outside a secure context, whatever its type says.
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
  // A dialog takes the focus back from what is outside of it.
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
