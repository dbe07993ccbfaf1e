import type { Attachment } from '@lodge/shared/attachments.ts'
import {
  isDecided,
  OpenAppeal,
  type OwnSuspension,
  ReplyInAppeal,
} from '@lodge/shared/suspensions.ts'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { AppealPill } from './appeal-card.tsx'
import { AttachmentPicker } from './attachment-picker.tsx'
import { Conversation } from './conversation.tsx'
import { t } from './words.ts'

const LIST = ['GET /api/suspension'] as const
const FILES = '/api/suspension/attachments'

interface OwnAppealProps {
  standing: OwnSuspension['appeal']
  /** For an administrator viewing as the customer. */
  readOnly: boolean
}

/** The appeals of the person, and the form for the next message if one is possible. */
export function OwnAppeal({ standing, readOnly }: OwnAppealProps) {
  const { appeals, possible, whyNot, from } = standing
  const open = appeals.find(({ state }) => !isDecided(state))
  if (appeals.length === 0 && !possible) return <Text muted>{whyNot}</Text>
  return (
    <Column>
      {appeals.map((appeal) => (
        <Column key={appeal.id} gap={10}>
          <Row between>
            <Text strong>{t.ownAppeal}</Text>
            <AppealPill own state={appeal.state} />
          </Row>
          <Conversation own appeal={appeal} files={FILES} />
        </Column>
      ))}
      {readOnly ? null : open ? (
        <MessageForm kind="reply" />
      ) : possible ? (
        <MessageForm kind="appeal" />
      ) : (
        <Text small muted>
          {from === null ? whyNot : t.possibleFrom({ when: timestampText(from) })}
        </Text>
      )}
    </Column>
  )
}

interface Values {
  message: string
  attachments: readonly Attachment[]
}
const NOTHING: Values = { message: '', attachments: [] }

function MessageForm({ kind }: { kind: 'appeal' | 'reply' }) {
  const isNew = kind === 'appeal'
  const bodyOf = ({ message, attachments }: Values) => ({
    message,
    attachments: attachments.map(({ id }) => id),
  })
  const form = useForm<Values, OwnSuspension>({
    initial: NOTHING,
    schema: isNew ? OpenAppeal : ReplyInAppeal,
    toBody: bodyOf,
    submit: (values) =>
      isNew
        ? api('POST /api/suspension/appeal', { body: bodyOf(values) })
        : api('POST /api/suspension/appeal/reply', { body: bodyOf(values) }),
    refreshes: LIST,
    done: () => form.setValues(NOTHING),
  })
  return (
    <Form
      form={form}
      label={isNew ? t.ownAppeal : t.reply}
      submitText={isNew ? t.sendAppeal : t.sendReply}
      beside={isNew ? null : <Withdraw />}
    >
      <AreaField
        label={isNew ? t.ownAppeal : t.reply}
        {...(isNew && { description: t.ownAppealHelp })}
        rows={5}
        width="fill"
        {...form.field('message')}
      />
      <AttachmentPicker
        address={FILES}
        value={form.values.attachments}
        onChange={(files) => form.set('attachments', files)}
      />
    </Form>
  )
}

function Withdraw() {
  const [opened, setOpened] = useState(false)
  const withdraw = useAct('DELETE /api/suspension/appeal', LIST)
  return (
    <>
      <Button onClick={() => setOpened(true)}>{t.withdraw}</Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.withdraw}
        verb={t.withdraw}
        onConfirm={() => withdraw.mutateAsync()}
      >
        {t.withdrawText}
      </ConfirmDialog>
    </>
  )
}
