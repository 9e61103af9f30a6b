import type { CollectionCard, Reply } from '../skill/skill'

const brief = ({ name, description }: CollectionCard): string =>
  `- ${name}: ${description.length <= 160 ? description : `${description.slice(0, 157).replace(/\s+\S*$/, '')} …`}`

const covered = (collections: CollectionCard[]): string =>
  collections.length === 0
    ? 'There are no documents yet. Add documents to a collection, then ask about them.'
    : `I answer from these collections:\n${collections.map(brief).join('\n')}`

type To = Parameters<Reply>[0]['to']

const opening: Record<To, string> = {
  general: 'I answer questions from documents, and show the source of each answer.',
  clarify: 'Please say more precisely what you want to know: about whom or what, and for which time.',
  narrow: 'Which part, case or time matters most to you?',
  decline: 'This question is outside the scope of these documents.',
  knowledge: 'I answer from documents only.',
}

export const offlineReply: Reply = async ({ to, collections, dimensions = [] }, { signal }) => {
  signal.throwIfAborted()
  if (to === 'narrow')
    return { text: dimensions.length > 1 ? `${opening.narrow} I found: ${dimensions.join(', ')}.` : opening.narrow }
  return { text: to === 'clarify' ? opening.clarify : `${opening[to]} ${covered(collections)}` }
}
