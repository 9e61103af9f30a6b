import { describe, expect, it } from 'vitest'
import { fit } from './fit'
import { rateUsefulnessContract } from './rate-usefulness.contract'
import { offlineRateUsefulness } from './rate-usefulness.offline'

rateUsefulnessContract('offline', () => offlineRateUsefulness)

describe('the form of an answer', () => {
  it.each([
    ['In what year was the bridge built?', '1931', 'Anna Holm'],
    ['How many arches does it have?', '12', 'Riverside'],
    ['Who built the bridge?', 'Anna Holm', '1931'],
    ['Is the bridge older than the tower?', 'Yes', 'Anna Holm'],
    ['Which is older, the Stone Bridge or the Old Tower?', 'The Old Tower', 'Anna Holm'],
    ['In which country does the bridge stand?', 'Norway', 'Anna Holm'],
    ['What kind of stone is the bridge made of?', 'granite', 'Anna Holm'],
    ['Which architect who once lived in the town drew the bridge?', 'Anna Holm', 'Bergen, Norway'],
    ['What is the nationality of the architect who drew the bridge?', 'Norwegian', 'Anna Holm'],
    ['Between the Stone Bridge and the Old Tower, which is older?', 'the Old Tower', 'Norway'],
    ['Who built the bridge?', 'Anna Holm', 'I do not know.'],
    ['Who built the bridge?', 'Anna Holm', 'Please provide more details about your question.'],
  ])('%s %s rather than %s', (question, good, bad) => expect(fit(question, good)).toBeGreaterThan(fit(question, bad)))
})
