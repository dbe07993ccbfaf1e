import { NOTES_MOST, type ServerNotes } from '@lodge/shared/server-labels.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { api } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { useLacking } from '../use-rights.ts'
import { t } from './words.ts'

const notesOf = (serverId: string) => q('GET /api/servers/{id}/notes', { params: { id: serverId } })

/** The shared notes about a server. */
export function NotesPart({ serverId }: { serverId: string }) {
  const notes = useQuery(notesOf(serverId))
  return (
    <Loaded query={notes} lines={4}>
      {(found) => <NotesFields serverId={serverId} notes={found} />}
    </Loaded>
  )
}

const changedWords = (at: string, person: string | null) => {
  const when = () => <Ago at={at} />
  return person === null ? t.notesChanged({ when }) : t.notesChangedBy({ when, person })
}

const Body = z.object({ text: z.string().max(NOTES_MOST) })

function NotesFields({ serverId, notes }: { serverId: string; notes: ServerNotes }) {
  const client = useQueryClient()
  const form = useForm<{ text: string }, ServerNotes>({
    initial: { text: notes.text },
    schema: Body,
    submit: (values) =>
      api('PUT /api/servers/{id}/notes', { params: { id: serverId }, body: values }),
    done: (saved) => {
      client.setQueryData(notesOf(serverId).queryKey, saved)
      form.set('text', saved.text)
      toastDone(t.notesSaved)
    },
  })
  const lacking = useLacking(serverId)('PUT /api/servers/{id}/notes', 'settings.rename')
  const { text } = form.values
  // The saved text that the current one is based on.
  const [base, setBase] = useState(notes.text)
  useEffect(() => {
    if (base === notes.text) return
    // Somebody else has saved: an untouched text is replaced, an edited one is kept.
    if (text !== base && text !== notes.text) return
    form.rebase({ text: notes.text })
    setBase(notes.text)
  }, [base, notes.text, text, form.rebase])
  useSavePart(form, { labelOf: () => t.notes, blocked: lacking })
  return (
    <>
      {base === notes.text || text === notes.text ? null : (
        <Note
          tone="warn"
          title={
            notes.changedBy === null
              ? t.notesOverwrittenBySomeone
              : t.notesOverwritten({ person: notes.changedBy })
          }
          action={
            <Button size="small" onClick={() => form.set('text', notes.text)}>
              {t.showTheirs}
            </Button>
          }
        >
          {t.notesOverwrittenText}
        </Note>
      )}
      <AreaField
        label={t.notes}
        description={t.notesHelp}
        rows={5}
        disabled={lacking !== undefined}
        {...form.field('text')}
      />
      {notes.changedAt === null ? null : (
        <Text small muted>
          {rich(changedWords(notes.changedAt, notes.changedBy))}
        </Text>
      )}
    </>
  )
}
