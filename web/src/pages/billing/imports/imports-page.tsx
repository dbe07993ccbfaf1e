import type { PanelImport } from '@lodge/shared/billing/imports.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CommandBox } from '../../../ui/data/copy.tsx'
import { toneOf, wordOf } from '../../../ui/data/known.ts'
import { Pager } from '../../../ui/data/pager.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { t } from './words.ts'

const COMMAND = 'npm run import -- --from whmcs whmcs.sql --report report.csv'
const LOOK_EVERY_MS = 3000

const TONES: Record<PanelImport['state'], Tone> = {
  running: 'pend',
  done: 'ok',
  failed: 'err',
  interrupted: 'warn',
}
const STATES: Record<PanelImport['state'], () => string> = {
  running: () => t.running,
  done: () => t.done,
  failed: () => t.failed,
  interrupted: () => t.interrupted,
}

const total = ({ counts }: PanelImport, what: 'new' | 'skipped'): number =>
  counts.reduce((sum, one) => sum + one[what], 0)

/** Imports from other panels, which are run by a command: what each did, or would do. */
export default function ImportsPage() {
  const { after } = useSearch({ from: '/in/admin/imports' })
  const navigate = useNavigate()
  const [shown, setShown] = useState<string>()
  const imports = useQuery({
    ...q('GET /api/billing/imports', { query: { after } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state === 'running') ? LOOK_EVERY_MS : false,
  })
  const opened = imports.data?.items.find(({ id }) => id === shown)
  return (
    <Page title={t.title} lead={t.lead}>
      <Column>
        <Card flush>
          <Loaded query={imports} lines={6}>
            {({ items }) => (
              <Table
                label={t.title}
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'started',
                    header: t.started,
                    role: 'title',
                    cell: ({ id, startedAt }) => (
                      <Button kind="quiet" size="small" onClick={() => setShown(id)}>
                        <Ago at={startedAt} />
                      </Button>
                    ),
                  },
                  { id: 'panel', header: t.from, cell: ({ panel }) => t.panel({ panel }) },
                  { id: 'origin', header: t.installation, cell: ({ origin }) => origin },
                  {
                    id: 'kind',
                    header: t.kind,
                    cell: ({ isDryRun }) => (isDryRun ? t.dryRun : t.import),
                  },
                  {
                    id: 'state',
                    header: t.state,
                    cell: ({ state }) => (
                      <Pill tone={toneOf(TONES, state)}>{wordOf(STATES, state)}</Pill>
                    ),
                  },
                  {
                    ...{ id: 'new', header: t.new, right: true, tight: true },
                    cell: (one) => total(one, 'new'),
                  },
                  {
                    ...{ id: 'skipped', header: t.skipped, right: true, tight: true },
                    cell: (one) => total(one, 'skipped'),
                  },
                ]}
                empty={
                  <Empty title={t.nothing} art="plans">
                    {t.nothingText}
                  </Empty>
                }
              />
            )}
          </Loaded>
        </Card>
        <Pager
          shown={imports.data?.items.length ?? 0}
          after={after}
          next={imports.data?.nextCursor ?? null}
          onGo={(cursor) =>
            void navigate({ to: paths.imports, search: cursor ? { after: cursor } : {} })
          }
        />
        <Card title={t.how}>
          <Column>
            <Text muted>{t.howText}</Text>
            <CommandBox command={COMMAND} label={t.command} />
          </Column>
        </Card>
      </Column>
      {opened ? <ImportDialog shown={opened} onClose={() => setShown(undefined)} /> : null}
    </Page>
  )
}
