import { useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Segments } from '../../../../ui/choices/segments.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Column, Row, Text } from '../../../../ui/page/layout.tsx'
import type { Changing } from '../use-change.ts'
import { t } from '../words.ts'

const HOUR_MS = 3_600_000
const HOURS = { '1': 1, '4': 4, '24': 24, '168': 168 } as const

interface SnoozeDialogProps {
  number: string
  changing: Changing
  onClose: () => void
}

/** Snoozes a ticket. */
export default function SnoozeDialog({ number, changing, onClose }: SnoozeDialogProps) {
  const [hours, setHours] = useState<keyof typeof HOURS>('24')
  const snooze = async (): Promise<void> => {
    const until = new Date(Date.now() + HOURS[hours] * HOUR_MS)
    await changing.change({ snoozedUntil: until.toISOString() })
    onClose()
  }
  return (
    <Dialog title={t.snoozeTitle({ number })} opened onClose={onClose} fleeting>
      <Column>
        <Text muted>{t.snoozeText}</Text>
        <Segments
          label={t.snoozeFor}
          value={hours}
          choices={[
            { value: '1', label: t.hour },
            { value: '4', label: t.fourHours },
            { value: '24', label: t.tomorrow },
            { value: '168', label: t.week },
          ]}
          onChange={setHours}
        />
        <Row>
          <Button kind="primary" busy={changing.busy} data-autofocus onClick={() => void snooze()}>
            {t.snoozeVerb}
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}
