import type { ReactNode } from 'react'
import type { Call } from '../../../command/call.ts'

/** One entry of the palette. */
export interface PaletteCommand {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly description?: string
  /** Other words that people type for it. */
  readonly keywords?: string
  /** Its shortcut, e.g. `g s`. */
  readonly keys?: string
  readonly icon?: ReactNode
  /** A confirmation to show first. */
  readonly confirm?: string
  readonly disabledBecause?: string | undefined
  readonly call?: Call
  /** Opens something, and the palette closes; or runs an action and resolves to its result. */
  readonly run: () => void | Promise<string>
}

/** What the palette shows. */
export type Stage =
  | { readonly of: 'list' }
  | { readonly of: 'confirm' | 'busy' | 'command'; readonly command: PaletteCommand }
  | { readonly of: 'done'; readonly command: PaletteCommand; readonly message: string }
  | { readonly of: 'refused'; readonly command: PaletteCommand; readonly error: unknown }
