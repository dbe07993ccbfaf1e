import type { Entry } from '@lodge/shared/files.ts'

/** What a dialog is open for. */
export type Doing =
  | { readonly what: 'folder' | 'file' | 'pull' }
  | { readonly what: 'rename' | 'extract' | 'preview'; readonly entry: Entry }
  | {
      readonly what: 'move' | 'copy' | 'chmod' | 'archive'
      readonly entries: readonly Entry[]
    }
  | {
      readonly what: 'delete'
      readonly entries: readonly Entry[]
      /** Asks before, because it cannot be undone: with the reason, unless somebody wants it so. */
      readonly forGood?: 'wanted' | 'noRoom'
    }
