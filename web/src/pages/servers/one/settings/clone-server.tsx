import type { Server } from '@lodge/shared/servers.ts'
import { useState } from 'react'
import { useMissing } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { part } from '../../../../ui/page/part.tsx'
import { DangerRow } from '../danger-row.tsx'
import { t } from './words.ts'

const CloneForm = part(() => import('./clone-form.tsx'))

/** For the host: creates another server like this one. */
export function CloneServer({ server }: { server: Server }) {
  const missing = useMissing()
  const [asked, setAsked] = useState(false)
  const close = () => setAsked(false)
  return (
    <Card title={t.clone}>
      <DangerRow title={t.cloneRow} text={server.kind === 'vm' ? t.cloneMachineText : t.cloneText}>
        <Button disabledBecause={missing('servers.create')} onClick={() => setAsked(true)}>
          {t.cloneServer}
        </Button>
      </DangerRow>
      <Dialog title={t.cloneTitle({ server: server.name })} opened={asked} onClose={close}>
        <CloneForm server={server} onLost={close} />
      </Dialog>
    </Card>
  )
}
