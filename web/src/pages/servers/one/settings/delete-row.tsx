import type { Server } from '@lodge/shared/servers.ts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { DangerRow } from '../danger-row.tsx'
import { t } from './words.ts'

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
    <DangerRow title={t.delete} text={text}>
      <Button kind="warning" disabledBecause={disabledBecause} onClick={() => setAsked(true)}>
        {t.deleteServer}
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t.deleteTitle({ server: server.name })}
        verb={t.deleteServer}
        typed={server.name}
        onConfirm={onConfirm}
      >
        {children}
      </ConfirmDialog>
    </DangerRow>
  )
}
