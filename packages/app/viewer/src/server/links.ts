/** One-time secrets, each of which signs one page in. */
import { randomBytes } from 'node:crypto'
import { isSameSecret } from '@agent-terminals/ahp/host'

interface Link {
  readonly secret: string
  isUsed: boolean
}

/** Links that are remembered, used ones included: they are told apart from those that never were. */
const MAX_LINKS = 64

export class LinkBook {
  private readonly links: Link[] = []

  /** @returns a new secret: 256 random bits in letters that a fragment can carry. */
  create(): string {
    const secret = randomBytes(32).toString('base64url')
    this.links.push({ secret, isUsed: false })
    if (this.links.length > MAX_LINKS) this.links.shift()
    return secret
  }

  /** Use a link up. Every one is compared, and each in constant time. */
  redeem(presented: string): 'accepted' | 'used' | 'unknown' {
    const [link] = this.links.filter(({ secret }) => isSameSecret(presented, secret))
    if (!link) return 'unknown'
    if (link.isUsed) return 'used'
    link.isUsed = true
    return 'accepted'
  }
}
