import { useQuery } from '@tanstack/react-query'
import Stethoscope from 'lucide-react/icons/stethoscope'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { Output } from '../../../ui/panes/output.tsx'
import type { Uploads } from '../parts/use-uploads.ts'
import { t } from './words.ts'

const FILE = 'diagnostics.txt'

interface DiagnosticsProps {
  serverId: string
  uploads: Uploads
}

/** Attaches diagnostics of the server, after showing all of it to its owner. */
export function Diagnostics({ serverId, uploads }: DiagnosticsProps) {
  const [opened, setOpened] = useState(false)
  const isAttached = uploads.files.some(({ name }) => name === FILE)
  return (
    <>
      <Button
        size="small"
        icon={<Stethoscope />}
        disabledBecause={isAttached ? t.diagnosticsAttached : undefined}
        onClick={() => setOpened(true)}
      >
        {t.diagnostics}
      </Button>
      <Dialog title={t.diagnosticsTitle} opened={opened} onClose={() => setOpened(false)} wide>
        <Report
          serverId={serverId}
          onAttach={(text) => {
            setOpened(false)
            void uploads.take([new File([text], FILE, { type: 'text/plain' })])
          }}
        />
      </Dialog>
    </>
  )
}

interface ReportProps {
  serverId: string
  onAttach: (text: string) => void
}

function Report({ serverId, onAttach }: ReportProps) {
  const report = useQuery({
    ...q('GET /api/support/diagnostics/{id}', { params: { id: serverId } }),
    staleTime: 0,
  })
  return (
    <Loaded query={report} lines={8}>
      {({ text, redacted }) => {
        const count = Object.values(redacted).reduce((sum: number, one) => sum + (one ?? 0), 0)
        return (
          <Column>
            <Text muted>{t.diagnosticsHelp}</Text>
            <Output label={t.diagnosticsTitle} text={text} most={420} />
            <Text muted>{t.diagnosticsRemoved({ count })}</Text>
            <Row>
              <Button kind="primary" onClick={() => onAttach(text)}>
                {t.diagnosticsAttach}
              </Button>
            </Row>
          </Column>
        )
      }}
    </Loaded>
  )
}
