/** A sign-up that waits for verification of its address or for approval. */
export interface Waiting {
  readonly id: string
  readonly email: string
  readonly state: 'unverified' | 'pending'
}
