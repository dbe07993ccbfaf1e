import type { Customer } from '@lodge/shared/accounts.ts'
import { isDecided, type Suspension } from '@lodge/shared/suspensions.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { useCustomer } from '../customers/use-customer.ts'
import { AnswerForm } from './answer-form.tsx'
import { AppealCard } from './appeal-card.tsx'
import { LiftDialog } from './lift-dialog.tsx'
import { NotesCard } from './notes-card.tsx'
import { optionWords } from './option-ticks.tsx'
import { PastSuspension } from './past-suspension.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { t } from './words.ts'

/** The suspension of a customer with its appeal and notes, and past ones. */
export default function SuspensionTab() {
  const customer = useCustomer()
  const found = useQuery(q('GET /api/customers/{id}/suspension', { params: { id: customer.id } }))
  return (
    <Loaded query={found} lines={6}>
      {({ active, history }) => (
        <Column gap={24}>
          {active ? (
            <Active customer={customer} suspension={active} />
          ) : (
            <NotSuspended customer={customer} />
          )}
          {history.length === 0 ? null : (
            <Card title={t.history} flush>
              {history.map((one) => (
                <PastSuspension key={one.id} customerId={customer.id} suspension={one} />
              ))}
            </Card>
          )}
        </Column>
      )}
    </Loaded>
  )
}

function NotSuspended({ customer }: { customer: Customer }) {
  const missing = useMissing()('suspension.manage')
  const [opened, setOpened] = useState(false)
  return (
    <Card>
      <Empty
        title={t.none}
        art="story"
        action={
          <Button kind="danger" disabledBecause={missing} onClick={() => setOpened(true)}>
            {t.suspend}
          </Button>
        }
      >
        {t.noneText}
      </Empty>
      <SuspendDialog customer={customer} opened={opened} onClose={() => setOpened(false)} />
    </Card>
  )
}

function Active({ customer, suspension }: { customer: Customer; suspension: Suspension }) {
  const missing = useMissing()('suspension.manage')
  const [open, setOpen] = useState<'edit' | 'lift'>()
  const close = () => setOpen(undefined)
  const { appeals } = suspension
  const isOpen = appeals.some(({ state }) => !isDecided(state))
  return (
    <>
      <Card
        title={t.active}
        actions={
          <Row>
            <Button size="small" disabledBecause={missing} onClick={() => setOpen('edit')}>
              {t.edit}
            </Button>
            <Button
              size="small"
              kind="primary"
              disabledBecause={missing}
              onClick={() => setOpen('lift')}
            >
              {t.lift}
            </Button>
          </Row>
        }
      >
        <Standing suspension={suspension} />
      </Card>
      <Card title={t.appeal}>
        <Column>
          {appeals.length === 0 ? <Text muted>{t.noAppeal}</Text> : null}
          {appeals.map((appeal) => (
            <AppealCard key={appeal.id} customerId={customer.id} appeal={appeal} />
          ))}
          {isOpen ? <AnswerForm customerId={customer.id} /> : null}
        </Column>
      </Card>
      <NotesCard customerId={customer.id} notes={suspension.notes} />
      <SuspendDialog
        customer={customer}
        present={suspension}
        opened={open === 'edit'}
        onClose={close}
      />
      <LiftDialog customer={customer} opened={open === 'lift'} onClose={close} />
    </>
  )
}

function Standing({ suspension }: { suspension: Suspension }) {
  const { reasonCode: code, publicReason, options, startedAt, endsAt, createdBy } = suspension
  const { deleteServersAt } = suspension
  return (
    <Facts
      rows={[
        [t.reasonLabel, t.reason({ code })],
        [t.publicReason, publicReason === '' ? t.noText : publicReason],
        [t.since, <Ago key="since" at={startedAt} />],
        [t.ends, endsAt === null ? t.byHand : <Ago key="ends" at={endsAt} />],
        ...(deleteServersAt === null
          ? []
          : [[t.deletion, <Ago key="deletion" at={deleteServersAt} />] as const]),
        [t.by, createdBy?.email ?? t.formerStaff],
        [t.effects, optionWords(options).join(' · ')],
      ]}
    />
  )
}
