import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A secret that cannot be guessed: 256 random bits in letters a header and a URL can carry. */
export const mintSecret = () => randomBytes(32).toString('base64url')

const digest = (text: string) => createHash('sha256').update(text).digest()

/** @returns a comparison that takes the same time whatever is presented. */
export function createTokenCheck(token: string): (presented: string | undefined) => boolean {
  const expected = digest(token)
  return (presented) => timingSafeEqual(digest(presented ?? ''), expected) && presented !== undefined
}
