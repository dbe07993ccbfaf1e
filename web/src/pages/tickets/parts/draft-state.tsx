import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import type { Draft } from './use-draft.ts'
import { t } from './words.ts'

const WORDS: Readonly<Record<Draft['state'], () => string>> = {
  empty: () => '',
  saving: () => t.draftSaving,
  saved: () => t.draftSaved,
  here: () => t.draftHere,
}

/** Where the draft is stored. */
export const DraftState = ({ draft }: { draft: Draft }) => (
  <div role="status">{WORDS[draft.state]()}</div>
)

/** The draft of another browser, if there are two. */
export function OtherDraft({ draft }: { draft: Draft }) {
  if (draft.other === undefined) return null
  return (
    <Note
      tone="info"
      title={t.draftElsewhere}
      action={
        <Row>
          <Button size="small" onClick={() => draft.settle(true)}>
            {t.insertDraft}
          </Button>
          <Button size="small" kind="quiet" onClick={() => draft.settle(false)}>
            {t.dropDraft}
          </Button>
        </Row>
      }
    >
      {t.draftElsewhereText}
    </Note>
  )
}
