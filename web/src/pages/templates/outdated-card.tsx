import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { BareTick } from '../../ui/choices/bare-tick.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

const MANY = 10

/** Servers that still run an older version, with a button to update them. */
export function OutdatedCard({ template }: { template: ShownTemplate }) {
  const client = useQueryClient()
  const missing = useMissing()('templates.manage')
  const params = { id: template.id }
  const outdated = useQuery(q('GET /api/templates/{id}/outdated', { params }))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState(false)
  const [skipped, setSkipped] = useState<Reply<'POST /api/templates/{id}/apply'>['skipped']>([])
  const apply = async (): Promise<void> => {
    const applied = await api('POST /api/templates/{id}/apply', {
      params,
      body: { confirm: true, serverIds: [...chosen] },
    })
    setChosen(new Set())
    setSkipped(applied.skipped)
    toastDone(t.applying, t.applyingText)
    await client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
  }
  const toggle = (id: string, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const verb = t.applyTo({ count: chosen.size })
  return (
    <Card title={t.outdatedServers}>
      <Loaded query={outdated} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Text muted>{t.noneOutdated({ version: template.version })}</Text>
          ) : (
            <Column gap={10}>
              {items.map((server) => (
                <Row key={server.id} between nowrap>
                  <Row nowrap>
                    <BareTick
                      label={t.selectServer({ server: server.name })}
                      checked={chosen.has(server.id)}
                      onChange={(on) => toggle(server.id, on)}
                    />
                    <Link to={paths.server} params={{ id: server.id }}>
                      {server.name}
                    </Link>
                  </Row>
                  <Pill tone="warn">{t.version({ version: server.templateVersion })}</Pill>
                </Row>
              ))}
              <Button
                disabledBecause={missing ?? (chosen.size === 0 ? t.selectFirst : undefined)}
                onClick={() => setAsking(true)}
              >
                {verb}
              </Button>
            </Column>
          )
        }
      </Loaded>
      {skipped.length > 0 ? (
        <Note tone="warn" title={t.someSkipped}>
          {skipped.map(({ serverId, detail }) => (
            <div key={serverId}>{saidReason(detail)}</div>
          ))}
        </Note>
      ) : null}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.applyTitle({ version: template.version })}
        verb={verb}
        {...(chosen.size > MANY ? { typed: template.name } : {})}
        onConfirm={apply}
      >
        {t.applyText({ version: template.version })}
      </ConfirmDialog>
    </Card>
  )
}
