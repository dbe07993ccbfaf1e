/** The nonce of this page view; the control plane writes a fresh one into every index.html. */
export const styleNonce: string = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''

/**
 * Gives every style element that a library makes (terminal, editor, scroll lock) the nonce, because
 * the content security policy refuses those without one.
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
