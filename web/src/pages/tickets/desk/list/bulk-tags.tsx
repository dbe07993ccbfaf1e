import { useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { TagsField } from '../../../../ui/choices/tags-field.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Column, Row } from '../../../../ui/page/layout.tsx'
import { t } from '../words.ts'

type Kind = 'addTags' | 'removeTags'

interface BulkTagsProps {
  /** Undefined while it is closed. */
  kind: Kind | undefined
  count: number
  onClose: () => void
  onTags: (kind: Kind, tags: string[]) => Promise<void>
}

/** Asks for tags to add to or remove from several tickets. */
export function BulkTags({ kind, count, onClose, onTags }: BulkTagsProps) {
  const [tags, setTags] = useState<readonly string[]>([])
  const close = (): void => {
    setTags([])
    onClose()
  }
  const title = kind === 'removeTags' ? t.removeTagTitle({ count }) : t.addTagTitle({ count })
  return (
    <Dialog title={title} opened={kind !== undefined} onClose={close}>
      <Column>
        <TagsField
          label={t.tags}
          width="fill"
          suggestions={[]}
          most={10}
          value={tags}
          onChange={setTags}
        />
        <Row>
          <Button
            kind="primary"
            disabledBecause={tags.length === 0 ? t.tagsNeeded : undefined}
            onClick={() => {
              if (kind) void onTags(kind, [...tags])
              close()
            }}
          >
            {t.changeTags}
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}
