import type { Call } from './call.ts'

/** Calls to show as commands, each under the name of its action. */
export interface ShownCommands {
  readonly title: string
  readonly commands: readonly { readonly label: string; readonly call: Call }[]
}

let show: ((shown: ShownCommands) => void) | undefined

export function onShowCommands(listener: (shown: ShownCommands) => void): () => void {
  show = listener
  return () => {
    show = undefined
  }
}

/** Opens the dialog with these commands, on any page. */
export const showCommands = (shown: ShownCommands): void => show?.(shown)
