/** Opens a part of the panel in a small window; the same name brings the existing window to the front. */
export function openWindow(path: string, name: string): void {
  window.open(path, `lodge-${name}`, 'popup,width=960,height=640')?.focus()
}
