import type { ImportKind, PanelImport } from '@lodge/shared/billing/imports.ts'
import { saidReason } from '../../../panel/said.ts'
import { wordOf } from '../../../ui/data/known.ts'
import { Table } from '../../../ui/data/table.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { t } from './words.ts'

const KINDS: Record<ImportKind, () => string> = {
  plan: () => t.plan,
  price: () => t.price,
  customer: () => t.customer,
  credit: () => t.credit,
  subscription: () => t.subscription,
  server: () => t.server,
}

const number = { right: true, tight: true } as const

/** The results of an import, or of its dry run, by kind of record. */
export function ImportDialog({ shown, onClose }: { shown: PanelImport; onClose: () => void }) {
  const { panel, origin, isDryRun, invites, state, failure, reasons } = shown
  const counts = shown.counts.filter((one) => one.new + one.present + one.before + one.skipped > 0)
  const named = { panel, origin }
  return (
    <Dialog title={isDryRun ? t.dryRunOf(named) : t.of(named)} opened onClose={onClose} wide>
      <Column>
        {failure === null ? null : (
          <Note tone="err" title={t.failed}>
            {saidReason(failure)}
          </Note>
        )}
        {state === 'interrupted' ? (
          <Note tone="warn" title={t.interrupted}>
            {t.interruptedText}
          </Note>
        ) : null}
        <Table
          label={t.records}
          rows={counts}
          keyOf={({ kind }) => kind}
          empty={null}
          columns={[
            {
              id: 'record',
              header: t.record,
              role: 'title',
              cell: ({ kind }) => wordOf(KINDS, kind),
            },
            { id: 'new', header: t.new, cell: (one) => one.new, ...number },
            { id: 'present', header: t.present, cell: (one) => one.present, ...number },
            { id: 'before', header: t.before, cell: (one) => one.before, ...number },
            { id: 'skipped', header: t.skipped, cell: (one) => one.skipped, ...number },
          ]}
        />
        {reasons.length === 0 ? null : (
          <Table
            label={t.whySkipped}
            rows={reasons}
            keyOf={({ kind, why }) => `${kind} ${why}`}
            empty={null}
            columns={[
              {
                id: 'why',
                header: t.whySkipped,
                role: 'title',
                cell: ({ why }) => saidReason(why),
              },
              { id: 'record', header: t.record, cell: ({ kind }) => wordOf(KINDS, kind) },
              { id: 'count', header: t.count, cell: ({ count }) => count, ...number },
            ]}
          />
        )}
        {isDryRun ? (
          <Text muted small>
            {t.dryRunNote}
          </Text>
        ) : null}
        {invites && !isDryRun ? (
          <Text muted small>
            {t.invited}
          </Text>
        ) : null}
        <Text muted small>
          {t.report}
        </Text>
      </Column>
    </Dialog>
  )
}
