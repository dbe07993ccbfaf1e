import type { ReactNode } from 'react'
import { Avatar } from '../icons/avatar.tsx'
import { Row } from '../page/layout.tsx'
import styles from './person.module.css'

interface PersonProps {
  email: string
  name: string | null
  /** The address, as a link or with marks beside it. */
  children: ReactNode
}

/** A person in a list: initials, the address and below it the name. */
export const Person = ({ email, name, children }: PersonProps) => (
  <Row gap={10} nowrap>
    <Avatar email={email} name={name} />
    <div className={styles.person}>
      {children}
      {name === null ? null : <small>{name}</small>}
    </div>
  </Row>
)
