import type { Customer } from '@lodge/shared/accounts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { changesOf, DraftSchema, draftOf, type LimitDraft } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'
import type { LimitsView } from '../limits/limit-table.tsx'
import { limitName } from '../limits/limit-words.ts'
import { t } from './words.ts'

/** One customer's limits: the effective values, their origin, and the values the host sets by hand. */
export default function QuotaTab() {
  const { id } = useParams({ from: '/in/admin/customers/$id' })
  const customer = useQuery(q('GET /api/customers/{id}', { params: { id } }))
  const limits = useQuery(q('GET /api/customers/{id}/limits', { params: { id } }))
  return (
    <Loaded query={customer} lines={8}>
      {(person) => (
        <Loaded query={limits} lines={8}>
          {(view) => (
            <>
              <Standing view={view} />
              <SaveForm label={t.limitsOf} submitText={t.saveLimits}>
                <Quota key={person.id} customer={person} view={view} />
              </SaveForm>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

const Standing = ({ view }: { view: LimitsView }) => (
  <>
    {view.enforced ? null : (
      <Note tone="info" title={t.limitsOff}>
        {t.limitsOffText}
      </Note>
    )}
    {view.overLimit ? (
      <Note tone="warn" title={t.aboveLimit}>
        {t.aboveLimitText}
      </Note>
    ) : null}
  </>
)

function Quota({ customer, view }: { customer: Customer; view: LimitsView }) {
  const client = useQueryClient()
  const missing = useMissing()
  const saved = draftOf(customer.quota)
  const form = useForm<LimitDraft, Customer>({
    initial: saved,
    schema: DraftSchema,
    nameOf: (pointer) => pointer.replace(/^quota\//, ''),
    submit: (draft) =>
      api('PATCH /api/customers/{id}', {
        params: { id: customer.id },
        body: { quota: changesOf(draft, saved) },
      }),
    refreshes: ['GET /api/customers/{id}/limits'],
    done: (next) => {
      client.setQueryData(['GET /api/customers/{id}', { params: { id: next.id } }], next)
      toastDone(t.limitsSaved)
    },
  })
  const blocked = missing('customers.manage') ?? missing('customers.quota')
  useSaved(form, saved)
  useSavePart(form, { labelOf: limitName, blocked })
  return (
    <LimitEditor
      draft={form.values}
      saved={saved}
      errors={form.errors}
      column={t.byHand}
      effective={view}
      disabled={blocked !== undefined}
      onChange={form.set}
    />
  )
}
