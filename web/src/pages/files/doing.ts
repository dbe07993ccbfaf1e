import type { Entry } from '@lodge/shared/files.ts'

/** What a dialog is open for. */
export type Doing =
  | { readonly what: 'folder' | 'file' | 'pull' }
  | { readonly what: 'rename' | 'extract' | 'preview'; readonly entry: Entry }
  | {
      readonly what: 'move' | 'copy' | 'delete' | 'chmod' | 'archive'
      readonly entries: readonly Entry[]
    }
