// The tab Fight in a link: accuracy, clips, distance, what is drawn, the frame at rest and the time in
// a tick.

import { readAccuracy, writeAccuracy } from "../dial.js";
import { between, oneOf, share, single, wholeBetween } from "../link.js";

/** Contacts by the value of their button. */
const DETAILS = ["bodies", "parts", "boxes"];

/** Number of steps of a tick in the module. */
const STEPS = 65536;

const SIDES = ["red", "blue"];

/** Text of a clip: its name, or its index where the name does not tell it. */
function clipText(names, clip) {
  const name = names[clip];
  return names.indexOf(name) === clip && !/^\d*$/.test(name) ? name : String(clip);
}

/** Reads the text of a clip. */
const clipOf = (names) => (text) => {
  if (/^\d+$/.test(text)) return wholeBetween(0, names.length - 1)(text);
  const index = names.indexOf(text);
  return index < 0 ? undefined : index;
};

export const fightLink = {
  files: ({ fight }) => fight.files.map(({ name }) => name),

  write({ dial, fight }) {
    const { start, player, tick, files, arena } = fight;
    const clips = SIDES.map((name, side) => {
      const clip = fight.clips[side];
      return [name, clip === start.clips[side] ? null : clipText(files[side].character.clips(), clip)];
    });
    return [
      ...writeAccuracy(dial),
      ...clips,
      ["distance", arena.distance === start.distance ? null : single(arena.distance)],
      ["pushes", fight.isPushing ? null : "off"],
      ["contacts", fight.detail === start.detail ? null : DETAILS[fight.detail]],
      ["body", fight.body === start.body ? null : fight.body],
      ["tree", fight.wires === start.wires ? null : fight.wires],
      ["frame", player.playing ? null : String(player.frame)],
      ["tick", tick.isOn ? String(tick.rate) : null],
      ["time", tick.isOn && !tick.playing ? share(tick.time, STEPS) : null],
    ];
  },

  read({ dial, fight }, asked) {
    const { start, player, tick } = fight;
    readAccuracy(dial, asked);
    fight.setClips(SIDES.map((name, side) => asked.take(name, clipOf(fight.files[side].character.clips())) ?? start.clips[side]));
    fight.setDistance(asked.take("distance", between(0, 1e9)) ?? start.distance);
    fight.setPushing(asked.take("pushes", oneOf(["off"])) === undefined);
    const detail = asked.take("contacts", oneOf(DETAILS)) ?? DETAILS[start.detail];
    fight.setDetail(String(DETAILS.indexOf(detail)));
    const body = asked.take("body", oneOf(["skin", "parts", "none"])) ?? start.body;
    const wires = asked.take("tree", oneOf(["boxes", "hulls", "none"])) ?? start.wires;
    fight.set({ body, wires });
    const frame = asked.take("frame", wholeBetween(0, player.frames - 1));
    if (frame !== undefined) {
      player.play(false);
      player.seek(frame);
    }
    tick.turnOn(Number(asked.take("tick", oneOf(["30", "10", "5"])) ?? 0));
    const time = asked.take("time", tick.isOn ? between(0, 1) : () => undefined);
    if (time !== undefined) tick.seek(time);
  },
};
