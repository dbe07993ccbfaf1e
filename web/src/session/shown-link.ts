import type { ShownLink } from '@lodge/shared/accounts.ts'

/** A link that was not mailed, and its recipient. */
export interface Handed extends ShownLink {
  readonly to: string
}

let show: ((link: Handed) => void) | undefined

export function onShownLink(listener: (link: Handed) => void): () => void {
  show = listener
  return () => {
    show = undefined
  }
}

/**
 * Opens the dialog with a response's link, if it has one.
 * @returns whether it had one: then no mail was sent
 */
export function showLink(to: string, { link }: { readonly link?: ShownLink | undefined }): boolean {
  if (link) show?.({ ...link, to })
  return link !== undefined
}
