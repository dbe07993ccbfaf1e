import type { Rule } from '@lodge/shared/support/rules/rule.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { ruleColumns } from './rule-row.tsx'
import { t } from './words.ts'

/** The automation rules of the desk, in order. */
export default function RulesTab() {
  const rules = useQuery(q('GET /api/support/rules'))
  return <Loaded query={rules}>{({ items }) => <Rules rules={items} />}</Loaded>
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  const [open, setOpen] = useState<Rule | 'new'>()
  const [recorded, setRecorded] = useState<Rule>()
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {t.newRule}
    </Button>
  )
  return (
    <Card title={t.rules} flush actions={rules.length > 0 ? create : undefined}>
      <Table
        label={t.rules}
        keys
        rows={rules}
        columns={ruleColumns({ count: rules.length, onOpen: setOpen, onRecord: setRecorded })}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noRules} art="jobs" action={create}>
            {t.noRulesText}
          </Empty>
        }
      />
      {open === undefined ? null : (
        <RuleDialog
          key={open === 'new' ? 'new' : open.id}
          rule={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
      {recorded === undefined ? null : (
        <RecordDialog rule={recorded} onClose={() => setRecorded(undefined)} />
      )}
    </Card>
  )
}
