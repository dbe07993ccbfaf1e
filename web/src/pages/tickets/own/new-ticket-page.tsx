import type { DeskConfig } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { q, useRefresh } from '../../../query.ts'
import { useMay } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Composer } from '../parts/composer.tsx'
import { useDraft } from '../parts/use-draft.ts'
import { useUploads } from '../parts/use-uploads.ts'
import { answersOf, CategoryFields, missingAnswer } from './category-fields.tsx'
import { CustomerChoice } from './customer-choice.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { ServerChoice } from './server-choice.tsx'
import { Suggestions } from './suggestions.tsx'
import { t } from './words.ts'

/** Opens a ticket; staff opens tickets for customers here. */
export default function NewTicketPage() {
  const isStaff = useOpensForOthers()
  const config = useQuery(q('GET /api/support/config'))
  return (
    <Page
      title={t.newTitle}
      narrow
      crumbs={<Link to={isStaff ? paths.desk : paths.tickets}>{t.support}</Link>}
    >
      <Loaded query={config} lines={8}>
        {(found) =>
          found.enabled || isStaff ? (
            <NewTicket config={found} />
          ) : (
            <Empty
              title={t.off}
              art="mail"
              action={<LinkButton to={paths.helpCenter}>{t.helpCenter}</LinkButton>}
            >
              {t.offText}
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

/** People who may find customers and answer tickets may also write first. */
function useOpensForOthers(): boolean {
  const may = useMay()
  return may('support.view') && may('support.reply') && may('customers.view')
}

function NewTicket({ config }: { config: DeskConfig }) {
  const search = useSearch({ from: '/in/support/new' })
  const navigate = useNavigate()
  const refresh = useRefresh()
  const draft = useDraft('new')
  const uploads = useUploads('new', draft)
  const { categories } = config
  const isStaff = useOpensForOthers()
  const { subject, answers } = draft
  // The linking page prefills the subject, which can be changed.
  const [given, setGiven] = useState<typeof search>(search)
  const categoryId = given.category ?? draft.categoryId
  const serverId = given.server ?? draft.serverId
  const customerId = isStaff ? (given.customer ?? '') : ''
  const category = categories.find(({ id }) => id === categoryId)
  const blocked =
    isStaff && customerId === ''
      ? t.customerNeeded
      : categories.length > 0 && category === undefined
        ? t.categoryNeeded
        : category?.requiresServer && serverId === ''
          ? t.serverNeeded
          : subject.trim() === ''
            ? t.subjectNeeded
            : missingAnswer(category?.fields ?? [], answers)
  return (
    <Composer
      label={isStaff ? t.forText : t.text}
      description={isStaff ? t.forTextHelp : t.textHelp}
      draft={draft}
      uploads={uploads}
      sendText={t.send}
      disabledBecause={blocked}
      head={
        <Column>
          {isStaff ? (
            <CustomerChoice
              value={customerId}
              onChange={(customer) => {
                setGiven({ ...given, customer, server: undefined })
                draft.change({ serverId: '' })
              }}
            />
          ) : null}
          {categories.length > 0 ? (
            <SelectField
              label={t.category}
              placeholder={t.chooseCategory}
              value={categoryId}
              choices={categories.map(({ id, name }) => ({ value: id, label: name }))}
              description={category?.description}
              onChange={(next) => {
                setGiven({ ...given, category: undefined })
                draft.change({ categoryId: next })
              }}
            />
          ) : null}
          <ServerChoice
            ownerId={customerId}
            value={serverId}
            needed={category?.requiresServer ?? false}
            onChange={(next) => {
              setGiven({ ...given, server: undefined })
              draft.change({ serverId: next })
            }}
          />
          <CategoryFields
            fields={category?.fields ?? []}
            answers={answers}
            onChange={(next) => draft.change({ answers: next })}
          />
          <TextField
            label={t.subject}
            description={t.subjectHelp}
            width="fill"
            autoComplete="off"
            value={subject}
            onChange={(next) => draft.change({ subject: next })}
          />
          <Suggestions words={subject} />
        </Column>
      }
      more={serverId === '' ? undefined : <Diagnostics serverId={serverId} uploads={uploads} />}
      onSend={async () => {
        const ticket = await api('POST /api/support/tickets', {
          body: {
            subject,
            bodyMarkdown: draft.text,
            attachments: uploads.files.map(({ id }) => id),
            answers: answersOf(category?.fields ?? [], answers),
            ...(isStaff && { requesterId: customerId }),
            ...(category && { categoryId: category.id }),
            ...(serverId !== '' && { serverId }),
          },
        })
        await refresh(['GET /api/support/tickets'])
        toastDone(t.sent)
        void navigate({ to: isStaff ? paths.deskTicket : paths.ticket, params: { id: ticket.id } })
      }}
    />
  )
}
