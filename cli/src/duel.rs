//! The command `boxwood duel`: two characters from files, as a story or as JSON.

use std::io::Write;

use boxwood::load::Loader;

use crate::any_file::Wishes;
use crate::arguments::{DuelFiles, HitDetail};
use crate::bar;
use crate::fight::blow::Blow;
use crate::fight::cast::{Fighter, Start};
use crate::fight::play::{self, Frame, Summary};
use crate::fight::trouble::Trouble;
use crate::fight::{Rules, json as lines, story};
use crate::refusal::{Refusal, complain};
use crate::report::{self, BlowLine, BlowTold, DuelEnd, DuelStart, FighterPlays, Outcome};

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Terminal(error) => Refusal::Output(error),
            Trouble::Flags(why) => Refusal::Usage(why),
            other => Refusal::File(other.to_string()),
        }
    }
}

/// Runs the fight from start to end.
pub fn run(asked: &DuelFiles, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let cast = Fighter::pair([fighter(asked, 0, "red")?, fighter(asked, 1, "blue")?])?;
    if !json {
        Fighter::all_notes(&cast).iter().for_each(|note| complain(note));
    }
    let rules = Rules {
        frames: asked.frames as usize,
        depth: asked.depth,
        detail: asked.detail.into(),
        level: asked.level,
        churn: 0,
    };
    let start = Start::find(asked.distance, &cast)?;
    match json {
        true => as_json(asked, &rules, &cast, start, out),
        false => as_story(asked, &rules, &cast, start, out),
    }
}

fn fighter(asked: &DuelFiles, side: usize, name: &'static str) -> Result<Fighter, Refusal> {
    let file = [&asked.a, asked.b.as_ref().unwrap_or(&asked.a)][side];
    let clip = [&asked.clip_a, &asked.clip_b][side].as_deref();
    let scale = [asked.scale_a, asked.scale_b][side];
    let wishes = Wishes { scale, visual: asked.visual, ..Wishes::default() };
    let bar = bar::bar();
    let loader = Loader::new().progress(&bar);
    Fighter::from_file(name, (file, clip), wishes, &loader).map_err(|why| {
        // An error of the file names it already; an error of its clips only says red or blue.
        let path = file.display().to_string();
        Refusal::File(if why.contains(&path) { why } else { format!("{path}: {why}") })
    })
}

fn as_story(
    asked: &DuelFiles,
    rules: &Rules,
    cast: &[Fighter; 2],
    start: Start,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    story::header((rules, asked.details), cast, &start, out)?;
    let mut names = String::new();
    let mut show = |frame: &Frame<'_>| match asked.details {
        true => story::hits(frame, &mut names, out).map_err(Trouble::Terminal),
        false => Ok(()),
    };
    let summary = play::fight(rules, cast, start, &mut show)?;
    Ok(story::ending(asked.details, cast, &summary, out)?)
}

fn as_json(
    asked: &DuelFiles,
    rules: &Rules,
    cast: &[Fighter; 2],
    start: Start,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    let plays = |fighter: &Fighter, file| FighterPlays {
        file: report::name(file),
        clip: fighter.clip(0).to_owned(),
        parts: fighter.loaded.model.len(),
        warnings: fighter.notes(),
    };
    let begin = DuelStart {
        red: plays(&cast[0], &asked.a),
        blue: plays(&cast[1], asked.b.as_ref().unwrap_or(&asked.a)),
        frames: asked.frames,
        depth: rules.depth,
        detail: match asked.detail {
            HitDetail::Bodies => "bodies",
            HitDetail::Parts => "parts",
            HitDetail::Boxes => "boxes",
        },
        distance: start.distance,
        aside: [start.aside.x, start.aside.y],
    };
    report::line(&begin, out)?;
    let mut show = |frame: &Frame<'_>| {
        let written = lines::hits(frame, out).and_then(|()| lines::push(frame, out));
        written.map_err(Trouble::Terminal)
    };
    let summary = play::fight(rules, cast, start, &mut show)?;
    for blow in &summary.blows {
        report::line(&BlowLine { blow: blow_told(cast, blow) }, out)?;
    }
    report::line(&DuelEnd { outcome: outcome(&summary) }, out)
}

fn blow_told(cast: &[Fighter; 2], blow: &Blow) -> BlowTold {
    let impact = blow.impact();
    let [red, blue] = story::parts(cast, &impact.hit).map(str::to_owned);
    let (deepest, hit) = &blow.deepest;
    BlowTold {
        first: blow.first,
        last: blow.last,
        attacker: blow.attacker().map(|side| cast[side].name),
        red,
        blue,
        speed: impact.speed,
        depth: hit.depth,
        deepest: *deepest,
    }
}

fn outcome(summary: &Summary) -> Outcome {
    Outcome {
        frames: summary.frames,
        frames_with_hits: summary.frames_with_hits,
        hits: summary.hits,
        blows: summary.blows.len(),
        pushes: summary.pushes,
        depth: summary.deepest,
        slack: summary.slack,
    }
}
