--[[
Counts one provider call, if the limits per minute allow the call and the provider is not paused.
The minute is divided into slots (short periods), each with its own counts. The limits therefore apply to every period
of 60 seconds, not only to full minutes.
A call that needs more tokens than the limit is allowed if no other tokens were used in the last minute.
KEYS[1] bucket:{<provider:model>}:minute
ARGV[1] requests per minute, 0 for no limit   ARGV[2] tokens per minute, 0 for no limit   ARGV[3] tokens of the call
ARGV[4] length of the minute (ms)   ARGV[5] number of slots
Returns { 'taken', the slot that counts the call } or { 'wait', ms until the call is allowed }.
]]
local mostRequests, mostTokens, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local minute, slots = tonumber(ARGV[4]), tonumber(ARGV[5])
local length = minute / slots
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local slot = math.floor(now / length)

local held = redis.call('HGETALL', KEYS[1])
local requests, tokens, order, stale, paused = {}, {}, {}, {}, 0
for at = 1, #held, 2 do
  local field, value = held[at], tonumber(held[at + 1])
  if field == 'until' then
    paused = value
  else
    local kind, of = string.sub(field, 1, 1), tonumber(string.sub(field, 2))
    if of < slot - slots then
      stale[#stale + 1] = field
    elseif kind == 'r' then
      requests[of] = value
      order[#order + 1] = of
    else
      tokens[of] = value
    end
  end
end
if #stale > 0 then redis.call('HDEL', KEYS[1], unpack(stale)) end
if paused > now then return { 'wait', paused - now } end

local allRequests, allTokens = 0, 0
for _, of in ipairs(order) do
  allRequests = allRequests + requests[of]
  allTokens = allTokens + math.max(0, tokens[of] or 0)
end
local function fits()
  return (mostRequests == 0 or allRequests + 1 <= mostRequests) and (mostTokens == 0 or allTokens + wanted <= mostTokens or allTokens == 0)
end

if not fits() then
  table.sort(order)
  for _, of in ipairs(order) do
    allRequests = allRequests - requests[of]
    allTokens = allTokens - math.max(0, tokens[of] or 0)
    if fits() then return { 'wait', math.max(1, math.ceil((of + slots + 1) * length - now)) } end
  end
end
redis.call('HINCRBY', KEYS[1], 'r' .. slot, 1)
redis.call('HINCRBY', KEYS[1], 't' .. slot, wanted)
redis.call('PEXPIRE', KEYS[1], math.ceil(minute + 2 * length))
return { 'taken', tostring(slot) }
