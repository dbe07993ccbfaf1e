import type { Appeal, AppealMessage } from '@lodge/shared/suspensions.ts'
import { Ago } from '../../ui/data/time.tsx'
import { rich } from '../../ui/page/rich.ts'
import { AttachedFiles } from './attached-files.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

interface ConversationProps {
  appeal: Appeal
  /** The URL of the attachments. */
  files: string
  /** Read by the customer. */
  own?: boolean
}

/** The messages of an appeal. */
export function Conversation({ appeal, files, own = false }: ConversationProps) {
  return (
    <ol className={styles.messages} aria-label={t.conversation}>
      {appeal.messages.map((message) => (
        <li key={message.id} className={styles.message}>
          <Message message={message} files={files} own={own} />
        </li>
      ))}
    </ol>
  )
}

function Message({ message, files, own }: { message: AppealMessage; files: string; own: boolean }) {
  const { from, author, text, attachments, createdAt } = message
  const customer = own ? t.fromYou : t.fromCustomer
  const name = author ?? (from === 'staff' ? t.fromStaff : customer)
  return (
    <>
      <p className={styles.byline}>
        {rich(t.byline({ author: () => <b>{name}</b>, written: () => <Ago at={createdAt} /> }))}
      </p>
      <p className={styles.text}>{text}</p>
      <AttachedFiles files={attachments} folder={files} />
    </>
  )
}
