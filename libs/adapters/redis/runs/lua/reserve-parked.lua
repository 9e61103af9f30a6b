--[[
Reserves held drafts (answers that wait for a review) for available reviewers. Each draft goes to the reviewer with the
largest free share of capacity.
Redis runs one script at a time, so two callers never reserve the same draft and never exceed a capacity.
KEYS[1] runs:parked:{tenant}:reviewers   KEYS[2] :reserved (the reviewer of each reserved member)
KEYS[3] :groups   KEYS[4] :rows
ARGV[1] JSON list of {member of the desk list, the reviewers who may get this draft}, the most urgent first
ARGV[2] time after which unused reservations expire (ms)
A reservation ends when the desk list shows an assignee of the draft, when the draft is no longer in the desk list, or
when the reviewer is no longer available.
Returns the open reservations: {member, reviewer, member, reviewer ...}.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local capacity, load = {}, {}
local reviewers = redis.call('HGETALL', KEYS[1])
for i = 1, #reviewers, 2 do
  local till, atMost = string.match(reviewers[i + 1], '^(%d+) (%d+)')
  if tonumber(till) > now then
    capacity[reviewers[i]] = tonumber(atMost)
    load[reviewers[i]] = 0
  else
    redis.call('HDEL', KEYS[1], reviewers[i])
  end
end

local groups = redis.call('HGETALL', KEYS[3])
for i = 1, #groups, 2 do
  local assignee = cjson.decode(groups[i]).assignee
  if assignee and load[assignee] then load[assignee] = load[assignee] + tonumber(groups[i + 1]) end
end

local function isUnassigned(member)
  local row = redis.call('HGET', KEYS[4], member)
  return row and cjson.decode(string.match(row, '^[^\n]*')).assignee == nil
end

local open = {}
local function add(member, reviewer)
  load[reviewer] = load[reviewer] + 1
  open[#open + 1] = member
  open[#open + 1] = reviewer
end

local reserved = redis.call('HGETALL', KEYS[2])
for i = 1, #reserved, 2 do
  if capacity[reserved[i + 1]] and isUnassigned(reserved[i]) then
    add(reserved[i], reserved[i + 1])
  else
    redis.call('HDEL', KEYS[2], reserved[i])
  end
end

for _, draft in ipairs(cjson.decode(ARGV[1])) do
  local best
  for _, reviewer in ipairs(draft[2]) do
    local most = capacity[reviewer]
    if most and load[reviewer] < most and (not best or load[reviewer] / most < load[best] / capacity[best]) then
      best = reviewer
    end
  end
  if best and redis.call('HEXISTS', KEYS[2], draft[1]) == 0 and isUnassigned(draft[1]) then
    redis.call('HSET', KEYS[2], draft[1], best)
    add(draft[1], best)
  end
end
if #open > 0 then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return open
