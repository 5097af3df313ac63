//! MJCF. Source: the XML reference of the MuJoCo documentation.

use super::table::{Rule, Vocabulary, rule};

/// The vocabulary of MJCF files.
pub(in crate::load) const MJCF: Vocabulary =
    Vocabulary { format: "MJCF", rules: RULES, never_harmless: &[] };

const RULES: &[Rule] = &[
    rule("mujoco", "model", SECTIONS),
    // Root of an included file, when listed alone.
    rule("mujocoinclude", "*-", SECTIONS),
    rule("include", "file", ""),
    rule(
        "option",
        "actuatorgroupdisable- apirate- ccd_iterations- ccd_tolerance- collision- cone- density- \
         gravity- impratio- integrator- iterations- jacobian- ls_iterations- ls_tolerance- \
         magnetic- mpr_iterations- mpr_tolerance- noslip_iterations- noslip_tolerance- \
         o_friction- o_margin- o_solimp- o_solref- sdf_initpoints- sdf_iterations- \
         sleep_tolerance- solver- timestep- tolerance- viscosity- wind-",
        "flag include",
    ),
    rule(
        "flag",
        "filterparent contact constraint actuation- autoreset- clampctrl- damper- diagexact- \
         energy- equality- eulerdamp- frictionloss- fwdinv- gravity- invdiscrete- ipc- island- \
         limit- midphase- multiccd- nativeccd- override- passive- refsafe- sensor- sensornoise- \
         sleep- speculative- spring- warmstart-",
        "",
    ),
    rule(
        "compiler",
        "angle autolimits eulerseq coordinate meshdir assetdir strippath fitaabb convexhull \
         texturedir- alignfree- balanceinertia- boundinertia- boundmass- conflict- discardvisual- \
         exactmeshinertia- fusestatic- inertiafromgeom- inertiagrouprange- passthrough- \
         savecanonical- savecompiled- saveinertial- settotalmass- usethread-",
        "include lengthrange-",
    ),
    rule(
        "default",
        "class",
        "default geom joint mesh equality include adhesion- camera- cylinder- damper- dcmotor- \
         general- intvelocity- light- material- motor- muscle- orientation- pair- pid- plugin- \
         position- site- tendon- texture- velocity-",
    ),
    rule("asset", "", "mesh model hfield skin include material- texture-"),
    rule(
        "mesh",
        "name class file vertex face scale refpos refquat content_type inertia builtin params \
         material- maxhullvert- normal- smoothnormal- texcoord-",
        "",
    ),
    rule("model", "name file content_type-", ""),
    rule("hfield", "name file- content_type- elevation- ncol- nrow- size-", ""),
    rule("skin", "name *-", "bone-"),
    rule("worldbody", "name-", BODY),
    rule(
        "body",
        "name pos quat axisangle euler xyaxes zaxis childclass mocap gravcomp- fuse- simple- \
         sleep- user-",
        BODY,
    ),
    rule("frame", "name pos quat axisangle euler xyaxes zaxis childclass", BODY),
    rule("replicate", "count euler offset sep", BODY),
    rule("attach", "model body frame prefix", ""),
    rule(
        "joint",
        "name class type axis pos ref range limited actuatorfrclimited- actuatorfrcrange- \
         actuatorgravcomp- armature- damping- frictionloss- group- margin- solimpfriction- \
         solimplimit- solreffriction- solreflimit- springdamper- springref- springyield- \
         stiffness- user-",
        "",
    ),
    rule("freejoint", "name align- group-", ""),
    rule(
        "geom",
        "name class type size pos quat axisangle euler xyaxes zaxis fromto mesh hfield fitscale \
         contype conaffinity adhesion- castshadow- condim- density- fluidcoef- fluidshape- \
         friction- gap- group- margin- mass- material- priority- rgba- shellinertia- solimp- \
         solmix- solref- surfacevel- user-",
        "",
    ),
    rule("deformable", "", "flex skin include"),
    rule("flex", "name *-", "*-"),
    rule("contact", "", "pair exclude include"),
    rule(
        "pair",
        "name geom1 geom2 adhesion- class- condim- friction- gap- margin- solimp- solref- \
         solreffriction-",
        "",
    ),
    rule("exclude", "name- body1 body2", ""),
    rule(
        "equality",
        "active solimp- solref-",
        "joint=equality_joint connect weld tendon flex flexstrain flexvert distance- include",
    ),
    rule("equality_joint", "name class active joint1 joint2 polycoef solimp- solref-", ""),
];

const SECTIONS: &str = "compiler default asset worldbody deformable contact equality include frame \
    body geom joint freejoint attach replicate actuator- camera- custom- extension- inertial- \
    keyframe- light- option plugin- sensor- site- size- statistic- tendon- visual-";

const BODY: &str = "body geom joint freejoint frame replicate attach include composite flexcomp \
    camera- inertial- light- plugin- site-";
