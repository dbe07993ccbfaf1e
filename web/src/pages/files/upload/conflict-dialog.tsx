import { useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { Choices } from '../../../ui/choices/choices.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Column, Row } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { folderOf, nameOf, numbered } from '../file-names.ts'
import type { ConflictAnswer, Transfer } from './transfer.ts'
import { answerConflict } from './uploads.ts'
import { t } from './words.ts'

/** Asks what to do about an existing file; closing it skips the file. */
export function ConflictDialog({ transfer }: { transfer: Transfer | undefined }) {
  const skip = (): void => {
    if (transfer) answerConflict('skip', [transfer.id])
  }
  return (
    <Dialog title={t.conflictTitle} opened={transfer !== undefined} onClose={skip} fleeting>
      {transfer ? <Question key={transfer.id} transfer={transfer} /> : null}
    </Dialog>
  )
}

function Question({ transfer: { id, path } }: { transfer: Transfer }) {
  const [answer, setAnswer] = useState<ConflictAnswer>('replace')
  const [isForAll, setForAll] = useState(false)
  return (
    <Column gap={14}>
      <div>
        {rich(t.conflictText({ file: () => <b>{nameOf(path)}</b>, folder: folderOf(path) }))}
      </div>
      <Choices
        label={t.conflictTitle}
        value={answer}
        onChange={setAnswer}
        choices={[
          { value: 'replace', label: t.replace, description: t.replaceText },
          {
            value: 'both',
            label: t.keepBoth,
            description: t.keepBothText({ name: nameOf(numbered(path)) }),
          },
          { value: 'skip', label: t.skip, description: t.skipText },
        ]}
      />
      <Tick label={t.forOthers} checked={isForAll} onChange={setForAll} />
      <Row>
        <Button kind="primary" onClick={() => answerConflict(answer, [id], isForAll)}>
          {t.goOn}
        </Button>
      </Row>
    </Column>
  )
}
