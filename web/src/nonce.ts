/** The nonce of this page view; the control plane writes a new one into every index.html. */
export const styleNonce: string = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''

/**
 * Gives the nonce to every style element that a library creates (terminal, editor, scroll lock),
 * because the content security policy blocks those without one.
 */
export function nonceStyleElements(): void {
  const create = Document.prototype.createElement
  Document.prototype.createElement = function (
    this: Document,
    name: string,
    options?: ElementCreationOptions,
  ) {
    const element = create.call(this, name, options)
    if (element instanceof HTMLStyleElement) element.nonce = styleNonce
    return element
  } as typeof create
}
