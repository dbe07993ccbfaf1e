/** A sign-up that waits for its address to be verified or for approval. */
export interface Waiting {
  readonly id: string
  readonly email: string
  readonly state: 'unverified' | 'pending'
}
