import type { Entry } from '@lodge/shared/files.ts'

/** The action that a dialog is open for. */
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
      /**
       * Asks first, because it cannot be undone: as requested by the person, or because there is no
       * bin for it.
       */
      readonly forGood?: 'wanted' | 'noRoom'
    }
