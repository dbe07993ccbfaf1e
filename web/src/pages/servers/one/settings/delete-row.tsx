import type { Server } from '@lodge/shared/servers.ts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { DangerRow } from '../danger-row.tsx'

interface DeleteRowProps {
  server: Server
  /** The effect of deleting, in the row. */
  text: string
  disabledBecause?: string | undefined
  onConfirm: () => Promise<unknown>
  /** The effect of deleting, in the dialog. */
  children: ReactNode
}

/** Deletes a server once its name has been typed. */
export function DeleteRow({ server, text, disabledBecause, onConfirm, children }: DeleteRowProps) {
  const [asked, setAsked] = useState(false)
  return (
    <DangerRow title="Delete" text={text}>
      <Button kind="warning" disabledBecause={disabledBecause} onClick={() => setAsked(true)}>
        Delete server
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${server.name}`}
        verb="Delete server"
        typed={server.name}
        onConfirm={onConfirm}
      >
        {children}
      </ConfirmDialog>
    </DangerRow>
  )
}
